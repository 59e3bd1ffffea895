import { processEnvironment } from '../service/configuration.ts'
import { describeFailure } from '../service/exit-codes.ts'
import { listenForStop } from '../service/shutdown.ts'
import { runCli } from './run-cli.ts'

/** Entry of the `tidemark` process: connects streams, environment and signals, then exits with the exit code. */
process.stdout.on('error', endQuietlyOnBrokenPipe)
process.on('uncaughtException', endInOneSentence)

void runCli(process.argv.slice(2), {
  // Opened by the commands that read it: opening it makes a pipe wait for its reader.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  environment: processEnvironment(),
  stop: listenForStop(process),
}).then((exit_code) => process.exit(exit_code))

/** A reader that closes the pipe (`tidemark sql ... | head`) is not an error. */
function endQuietlyOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

/** An uncaught error is a bug; the user still sees one sentence and no stack. */
function endInOneSentence(error: unknown): void {
  const failure = describeFailure(error)
  process.stderr.write(`error: ${failure.error.message} (${failure.error.code})\n`)
  process.exit(failure.exit_code)
}
