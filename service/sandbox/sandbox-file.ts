import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import type { PlannedSmartAccount, SandboxPlan } from './sandbox-plan.ts'

/** Returns the folder of the sandbox in the home; it holds secrets. */
export function sandboxFolder(home: string): string {
  return join(home, 'sandbox')
}

/**
 * Reads the sandbox of an earlier start; null if there is none.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export function readSandbox(home: string): Promise<SandboxPlan | null> {
  return readPlan<SandboxPlan>(fileOf(home))
}

/** Saves the sandbox plan, readable only by its owner, before the accounts are created. */
export async function writeSandbox(home: string, plan: SandboxPlan): Promise<void> {
  await writeInFolder(home, fileOf(home), plan)
}

/**
 * Reads the smart account of an earlier start; null if there is none.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export function readSmartAccount(home: string): Promise<PlannedSmartAccount | null> {
  return readPlan<PlannedSmartAccount>(smartAccountFile(home))
}

/** Saves the smart account, readable only by its owner, before it is opened. */
export async function writeSmartAccount(home: string, planned: PlannedSmartAccount): Promise<void> {
  await writeInFolder(home, smartAccountFile(home), planned)
}

/** Writes a file whole, readable only by its owner. */
async function writePrivateFile(file: string, value: object): Promise<void> {
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, file)
}

async function readPlan<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    const message = `${file} cannot be read as JSON; allowed: the file of an earlier start, or none (then the accounts are new)`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { file }, error)
  }
}

async function writeInFolder(home: string, file: string, value: object): Promise<void> {
  await mkdir(sandboxFolder(home), { recursive: true, mode: 0o700 })
  await writePrivateFile(file, value)
}

function fileOf(home: string): string {
  return join(sandboxFolder(home), 'accounts.json')
}

function smartAccountFile(home: string): string {
  return join(sandboxFolder(home), 'smart-account.json')
}
