import { processEnvironment } from './config.ts'
import { runCli } from './run-cli.ts'
import { listenForStop } from './stop.ts'

/** Entry of the `tidemark` process: wires the real streams, environment and signals, then ends with the exit code. */
process.stdout.on('error', endQuietlyOnBrokenPipe)

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
