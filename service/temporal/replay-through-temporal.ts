import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReplayLine } from '../../operations/replay/replay-index.ts'
import { isDefinitionFile, readTarget } from '../../operations/replay/replay-target.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import { startReplay } from '../../workflows/client/replays.ts'
import type { ReplayMethodologyArgs } from '../../workflows/replay-methodology.ts'
import { resultOf, type ThroughOptions, withTemporal } from './with-temporal.ts'

/**
 * A replay through Temporal, into a file of the worker's home. The signal cancels it.
 * @returns the lines, where the file is of this machine; null: it is of another, and was named
 * @throws {ServiceError} what withTemporal and replayIndex throw; the signal's reason
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

/** A worker reads definitions from its home alone. @returns the file's name there, which belongs to its content */
async function keptDefinition(home: string, file: string): Promise<string> {
  await readTarget(file) // a definition that is wrong is told at once
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
