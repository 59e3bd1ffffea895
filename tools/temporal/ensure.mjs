// Finds, downloads or builds the Temporal server, once, as the service does, and prints the path of the program.
// What is downloaded or built lies in $TIDEMARK_CACHE (default ~/.cache/tidemark), outside the checkout.
//   node tools/temporal/ensure.mjs
import { homedir } from 'node:os'
import { join } from 'node:path'
import { register } from 'tsx/esm/api'

register()
const { ensureServerBinary } = await import('../../workflows/server/ensure-binary.ts')
const { TEMPORAL_CLI_PATH, PATH, TIDEMARK_CACHE } = process.env

try {
  const { path, version } = await ensureServerBinary({
    cli_path: TEMPORAL_CLI_PATH || null,
    path: PATH ?? '',
    cache: TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark'),
    on_step: (step) => console.error(step),
  })
  console.error(`Temporal ${version}`)
  console.log(path)
} catch (error) {
  console.error(error.message)
  process.exitCode = 4 // a service is unavailable
}
