import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import type { SandboxPlan } from './sandbox-plan.ts'

/** Folder of the sandbox below the home; it has secrets. */
export function sandboxFolder(home: string): string {
  return join(home, 'sandbox')
}

/**
 * The sandbox that an earlier start made; null: none did.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export async function readSandbox(home: string): Promise<SandboxPlan | null> {
  const file = fileOf(home)
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SandboxPlan
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    const message = `${file} cannot be read as JSON; allowed: the file as it was written, or none (then the accounts are new)`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { file }, error)
  }
}

/** Keeps the sandbox, readable by its owner alone, before anything of it exists elsewhere. */
export async function writeSandbox(home: string, plan: SandboxPlan): Promise<void> {
  await mkdir(sandboxFolder(home), { recursive: true, mode: 0o700 })
  const unfinished = `${fileOf(home)}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, fileOf(home))
}

function fileOf(home: string): string {
  return join(sandboxFolder(home), 'accounts.json')
}
