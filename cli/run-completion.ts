import type { Command } from 'commander'
import { type Environment, readSettings } from '../service/configuration.ts'
import type { Output } from '../service/output/output.ts'
import { complete } from './complete.ts'
import { withWarehouse } from './with-warehouse.ts'

/** Answers `tidemark __complete WORD ...` of the completion scripts: one candidate a line, never an error. */
export async function runCompletion(
  program: Command,
  words: readonly string[],
  environment: Environment,
  output: Output,
): Promise<void> {
  const { candidates, wants_index_ids } = complete(program, words)
  const ids = wants_index_ids ? await findIndexIds(words, environment).catch(() => []) : []
  const partial = words.at(-1) ?? ''
  for (const candidate of [...candidates, ...ids.filter((id) => id.startsWith(partial))]) await output.line(candidate)
}

async function findIndexIds(words: readonly string[], environment: Environment): Promise<string[]> {
  const place = words.indexOf('--warehouse')
  const flags = place < 0 ? {} : { warehouse: words[place + 1] ?? '' }
  const { listIndexes } = await import('../operations/list-indexes.ts')
  const indexes = await withWarehouse(readSettings(flags, environment), { create: false }, (warehouse) =>
    listIndexes({ as_of: null, warehouse }),
  )
  return indexes.map((index) => index.index_id)
}
