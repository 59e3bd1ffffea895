import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Environment variable with the folder of this test run, which global-setup.ts makes. */
export const RUN_FOLDER = 'TIDEMARK_TEST_RUN'

const WAIT_MS = 600_000

/** Returns the file that keeps the result of onceInRun. */
export function resultFile(run: string, name: string): string {
  return join(run, `${name}.json`)
}

/**
 * Makes something that several test files need, in the first file that asks; the others wait for it and get the same result.
 * @param name  of its folder in the run's folder
 * @param make  called with that folder; its result is kept as JSON
 */
export async function onceInRun<T>(name: string, make: (folder: string) => Promise<T>): Promise<T> {
  const run = process.env[RUN_FOLDER]
  if (run === undefined) throw new Error(`${RUN_FOLDER} is not set; run the tests with a config of the project`)
  const folder = join(run, name)
  const file = resultFile(run, name)
  if (isFirst(folder)) {
    // A failed attempt leaves no result and gives its place up: the next file tries again.
    const result = await make(folder).catch((error) => {
      renameSync(folder, `${folder}-failed-${process.pid}-${Date.now()}`)
      throw error
    })
    writeFileSync(`${file}.part`, JSON.stringify(result))
    renameSync(`${file}.part`, file)
    return result
  }
  const end = Date.now() + WAIT_MS
  while (!existsSync(file)) {
    if (!existsSync(folder)) return onceInRun(name, make)
    if (Date.now() > end) throw new Error(`${name} was not made in ${WAIT_MS} ms by the test file that began it`)
    await sleep(20)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as T
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
