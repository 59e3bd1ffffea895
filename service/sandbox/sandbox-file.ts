import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import type { SandboxPlan } from './sandbox-plan.ts'

/** Returns the folder of the sandbox in the home; it holds secrets. */
export function sandboxFolder(home: string): string {
  return join(home, 'sandbox')
}

/**
 * Reads the sandbox of an earlier start; null if there is none.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export async function readSandbox(home: string): Promise<SandboxPlan | null> {
  const file = fileOf(home)
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SandboxPlan
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    const message = `${file} cannot be read as JSON; allowed: the file of an earlier start, or none (then the accounts are new)`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { file }, error)
  }
}

/** Saves the sandbox plan, readable only by its owner, before the accounts are created. */
export async function writeSandbox(home: string, plan: SandboxPlan): Promise<void> {
  await mkdir(sandboxFolder(home), { recursive: true, mode: 0o700 })
  const unfinished = `${fileOf(home)}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, fileOf(home))
}

function fileOf(home: string): string {
  return join(sandboxFolder(home), 'accounts.json')
}
