import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * Builds a program once with Go and returns its path. It lies in $TIDEMARK_CACHE (default ~/.cache/tidemark), outside the checkout; Go
 * builds one in about a minute. Without Go or its module proxy this process exits with 4, a service is unavailable.
 */
export function ensureGoProgram(package_path, version) {
  const name = basename(package_path)
  const cache = process.env.TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark')
  const folder = join(cache, name)
  const program = join(folder, `${name}-${version}`)
  if (existsSync(program)) return program
  const made = join(folder, `making-${process.pid}`)
  mkdirSync(made, { recursive: true })
  const built = spawnSync('go', ['install', `${package_path}@${version}`], {
    env: { ...process.env, GOBIN: made, GOFLAGS: '-trimpath' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (built.status !== 0) {
    console.error(`${name} cannot be built: Go is not installed, or its module proxy does not answer`)
    process.exit(4)
  }
  renameSync(join(made, name), program)
  return program
}
