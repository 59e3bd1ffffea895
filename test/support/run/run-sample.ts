import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type CliResult, tidemark } from '../run-cli.ts'
import { onceInRun } from './once-in-run.ts'

/**
 * Gives a folder what `tidemark up --once` makes in an empty home, a half minute's work done once in a run.
 * @param home  empty; becomes a copy of the home that was made
 * @returns     the home that was made, which the output names, and what the command printed
 */
export async function copySample(home: string): Promise<{ readonly made_in: string; readonly up: CliResult }> {
  const sample = await onceInRun('sample', async (folder) => {
    const made_in = join(folder, 'home')
    return { made_in, up: await tidemark(['up', '--once'], { environment: { TIDEMARK_HOME: made_in } }) }
  })
  cpSync(sample.made_in, home, { recursive: true, preserveTimestamps: true })
  return sample
}
