import { processEnvironment } from '../service/configuration.ts'
import { describeFailure } from '../service/exit-codes.ts'
import { listenForStop } from '../service/shutdown.ts'
import { runCli } from './run-cli.ts'

/** Entry of the `tidemark` process: wires the real streams, environment and signals, then ends with the exit code. */
process.stdout.on('error', endQuietlyOnBrokenPipe)
process.on('uncaughtException', endInOneSentence)

process.exit(
  await runCli(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: processEnvironment(),
    stop: listenForStop(process),
  }),
)

/** The reader of our output went away (`tidemark sql ... | head`): that is no failure of ours. */
function endQuietlyOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

/** An error that nobody waited for is a bug; even then the user sees a sentence and no stack. */
function endInOneSentence(error: unknown): void {
  const failure = describeFailure(error)
  process.stderr.write(`error: ${failure.error.message} (${failure.error.code})\n`)
  process.exit(failure.exit_code)
}
