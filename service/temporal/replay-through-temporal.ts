import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReplayLine } from '../../operations/replay/replay-index.ts'
import { checkTarget, isDefinitionFile } from '../../operations/replay/replay-target.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { startReplay } from '../../workflows/client/replays.ts'
import type { ReplayMethodologyArgs } from '../../workflows/replay-methodology.ts'
import { resultOf, type ThroughOptions, withTemporal } from './with-temporal.ts'

/**
 * Replays an index through Temporal into a file of the worker's home. The signal cancels it.
 * @returns the lines if the file is on this machine, else null; its path was printed
 * @throws {ServiceError} errors of withTemporal and replayIndex; the signal's reason
 */
export async function replayThroughTemporal(
  args: ReplayMethodologyArgs,
  options: ThroughOptions,
): Promise<AsyncIterable<ReplayLine> | null> {
  const { settings, output } = options
  const target = isDefinitionFile(args.target) ? await keptDefinition(settings.home, args.target) : args.target
  const { file, lines } = await withTemporal(options, async (connected) =>
    resultOf(await startReplay(connected.client, { ...args, target }), connected, options),
  )
  output.note(`${lines} lines in ${file}`)
  const is_here = await stat(file).then(
    () => true,
    () => false,
  )
  return is_here ? linesOf(file) : null
}

/** Copies a definition to the home, where workers read definitions. @returns its name there, a hash of the content */
async function keptDefinition(home: string, file: string): Promise<string> {
  await checkTarget(file)
  const text = await readFile(file, 'utf8')
  const name = `${contentHash(text).slice('sha256:'.length, 24)}${extname(file)}`
  const folder = join(home, 'definitions')
  const unfinished = join(folder, `.${name}.${process.pid}`)
  await mkdir(folder, { recursive: true })
  await writeFile(unfinished, text)
  await rename(unfinished, join(folder, name))
  return name
}

async function* linesOf(file: string): AsyncGenerator<ReplayLine> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line) as ReplayLine
}
