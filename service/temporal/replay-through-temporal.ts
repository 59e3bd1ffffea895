import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReplayLine } from '../../operations/replay/replay-index.ts'
import { checkTarget, fileOfTarget } from '../../operations/replay/replay-target.ts'
import { openStore } from '../../warehouse/store/open-store.ts'
import { placeOnce } from '../../warehouse/store/read-back.ts'
import type { Store } from '../../warehouse/store/store.ts'
import { DEFINITIONS, nameOf } from '../../warehouse/store/work-keys.ts'
import { startReplay } from '../../workflows/client/replays.ts'
import type { ReplayMethodologyArgs } from '../../workflows/replay-methodology.ts'
import { resultOf, type ThroughOptions, withTemporal } from './with-temporal.ts'

/**
 * Replays an index through Temporal into a file of the warehouse's store. The signal cancels it.
 * @returns the lines; null: a worker of an earlier release wrote them into its home on another machine, and the path was printed
 * @throws {ServiceError} errors of withTemporal and replayIndex; the signal's reason
 */
export async function replayThroughTemporal(
  args: ReplayMethodologyArgs,
  options: ThroughOptions,
): Promise<AsyncIterable<ReplayLine> | null> {
  const { settings, output } = options
  const store = await openStore(settings.warehouse)
  const named = fileOfTarget(args.target)
  const target = named === null ? args.target : `${await keptDefinition(store, named.file)}${versionPart(named)}`
  const { key, file, lines } = await withTemporal(options, async (connected) =>
    resultOf(await startReplay(connected.client, { ...args, target }), connected, options),
  )
  output.note(`${lines} lines in ${file}`)
  if (key !== undefined) return linesOf(await store.localPath(key))
  return existsSync(file) ? linesOf(file) : null
}

function versionPart({ version }: { readonly version: string | null }): string {
  return version === null ? '' : `@${version}`
}

/** Copies a definition to the store, where workers read definitions. @returns its name there, a hash of the content */
async function keptDefinition(store: Store, file: string): Promise<string> {
  await checkTarget(file)
  const text = await readFile(file, 'utf8')
  const name = `${nameOf(text)}${extname(file)}`
  await placeOnce(store, `${DEFINITIONS}/${name}`, Buffer.from(text))
  return name
}

async function* linesOf(file: string): AsyncGenerator<ReplayLine> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line) as ReplayLine
}
