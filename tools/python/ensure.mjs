// Makes the Python environment of tools/python/requirements.txt, once, and prints the path of its interpreter.
// It lies in $TIDEMARK_CACHE (default ~/.cache/tidemark), named by the requirements' hash, and is used again when there.
//   node tools/python/ensure.mjs [FILE]     FILE: another requirements file of this folder, such as notebook.txt
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const requirements = fileURLToPath(new URL(process.argv[2] ?? 'requirements.txt', import.meta.url))
const cache = process.env.TIDEMARK_CACHE ?? join(homedir(), '.cache', 'tidemark')

/** Ends with the sentence on standard error; 4 = a service is unavailable. */
function fail(sentence) {
  console.error(sentence)
  process.exit(4)
}

function run(command, args) {
  console.error(`${command} ${args.join(' ')}`)
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) fail(`${command} failed: ${error?.message ?? `exit code ${status}`}`)
}

const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0)
if (python === undefined) fail('no python3 on PATH; allowed: Python 3.10 or later with venv and pip')
const version = execFileSync(python, ['--version']).toString().trim()
const hash = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex').slice(0, 16)
const home = join(cache, `python-${hash}`)
const interpreter = join(home, 'bin', 'python')

if (!existsSync(interpreter)) {
  // Under another name until it is whole: an interrupted run is not mistaken for a finished one.
  const unfinished = `${home}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  console.error(`making a Python environment in ${home} (about a minute)`)
  run(python, ['-m', 'venv', unfinished])
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '-r', requirements]
  run(join(unfinished, 'bin', 'python'), pip)
  try {
    renameSync(unfinished, home)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(interpreter)) throw error // else another run was first
  }
}
console.log(interpreter)
