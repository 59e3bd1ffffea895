// Builds versitygw, an S3 server over a folder, once, and prints the path of the program. Tests and benches of the object store use it.
// It lies in $TIDEMARK_CACHE (default ~/.cache/tidemark), outside the checkout; Go builds it in about a minute.
//   node tools/object-store/ensure.mjs
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSION = 'v1.8.0'
const cache = process.env.TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark')
const folder = join(cache, 'versitygw')
const program = join(folder, `versitygw-${VERSION}`)

if (!existsSync(program)) {
  const made = join(folder, `making-${process.pid}`)
  mkdirSync(made, { recursive: true })
  const built = spawnSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
    env: { ...process.env, GOBIN: made, GOFLAGS: '-trimpath' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (built.status !== 0) {
    console.error('versitygw cannot be built: Go is not installed, or its module proxy does not answer')
    process.exit(4) // a service is unavailable
  }
  renameSync(join(made, 'versitygw'), program)
}
console.log(program)
