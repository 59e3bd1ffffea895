import { isSame, textOf } from './bytes.ts'
import { readKey } from './known-key.ts'
import type { LogFiles } from './log-files.ts'
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  type LeafRange,
  leafHash,
  type TreeHead,
} from './merkle-tree.ts'
import { ProofFault, requireCryptography } from './proof-fault.ts'
import { sealOf } from './seals.ts'
import type { SeenLogs } from './seen-logs.ts'
import { type Checkpoint, checkSignature, parseCheckpoint } from './signed-note.ts'
import {
  allTiles,
  compareLevels,
  entriesOf,
  lastBundlePath,
  lastLeaves,
  rangeHash,
  rootOf,
  type TileBytes,
  tilePath,
  tilesOf,
} from './tiles.ts'
import { type CheckStep, type Verdict, verdictOf } from './verdict.ts'

export type HeadPorts = {
  readonly files: LogFiles
  readonly seen: SeenLogs
  readonly now_ms: () => number
  readonly signal: AbortSignal
}

/** Tiles of a log that are all read; of a larger log only those that its root and the proofs need. */
const TILES_MAX = 64

const FAILURE =
  'The log cannot be trusted: do not rely on its records, keep this page, and compare the checkpoint with that of a witness.'

/** Verifies the head of the log: its key, its signature, its tiles, that it continues the head seen last, and its last seal. */
export function verifyHead(ports: HeadPorts): Promise<Verdict> {
  return verdictOf(async (step) => {
    requireCryptography()
    const { files, seen, signal, now_ms } = ports
    const key = await step('Key', () => readKey(files, seen, signal))
    const checkpoint = await step('Signature', async () => {
      const read = parseCheckpoint(textOf(await files.read('checkpoint', signal)))
      await checkSignature(read, key)
      return { detail: `The key signed ${read.size} entries under one root.`, value: read }
    })
    await checkTree(step, ports, checkpoint)
    const { origin, size, root } = checkpoint
    const is_kept = seen.keep({ origin, vkey: key.text, head: { size, root }, seen_ms: now_ms() })
    const unkept = is_kept ? '' : ' This browser keeps nothing, so the next visit is a first one again.'
    return `The signed checkpoint covers ${size} entries, and none that this browser saw before was changed or removed.${unkept}`
  }, FAILURE)
}

/** Checks tiles, consistency and the last seal of a checkpoint whose signature is verified. */
async function checkTree(step: CheckStep, ports: HeadPorts, checkpoint: Checkpoint): Promise<void> {
  const { size, origin } = checkpoint
  const before = ports.seen.of(origin)?.head ?? null
  const proof = before === null || before.size > size ? [] : consistencyRanges(before.size, size)
  const seal = size === 0 ? [] : inclusionRanges(size - 1, size)
  const tiles = await step('Tiles', () => readTiles(ports, checkpoint, [...proof, ...seal]))
  await step('Consistency', async () => {
    const hashes = await Promise.all(proof.map((range) => rangeHash(range, size, tiles)))
    return consistencyOf(before, checkpoint, hashes)
  })
  if (size > 0) await step('Last seal', () => lastSeal(ports, size, tiles))
}

/** Reads the tiles of a checkpoint and recomputes its root from them. */
async function readTiles({ files, signal }: HeadPorts, checkpoint: Checkpoint, ranges: readonly LeafRange[]) {
  const { size } = checkpoint
  const every = allTiles(size)
  const held = every.length <= TILES_MAX ? every : tilesOf([{ start: 0, end: size }, ...ranges], size)
  const tiles = new Map<string, Uint8Array>()
  for (const tile of held) tiles.set(tilePath(tile), await files.read(tilePath(tile), signal))
  if (!isSame(await rootOf(size, tiles), checkpoint.root)) {
    const paths = held.map(tilePath)
    const named = paths.length > 4 ? `${paths.slice(0, 4).join(', ')} and ${paths.length - 4} more` : paths.join(', ')
    throw new ProofFault(`The hashes of ${named} lead to another root than the one that was signed.`)
  }
  await compareLevels(held, size, tiles)
  const rest = held.length < every.length ? ' tidemark log verify reads all.' : ''
  return { detail: `${held.length} of ${every.length} tiles lead to the root that was signed.${rest}`, value: tiles }
}

async function consistencyOf(before: TreeHead | null, now: Checkpoint, proof: readonly Uint8Array[]) {
  if (before === null) {
    const detail = 'This browser has not seen the log before. It remembers this checkpoint.'
    return { detail, value: null, is_skipped: true }
  }
  if (before.size > now.size)
    throw new ProofFault(`The log has ${now.size} entries; this browser saw ${before.size}. It was rolled back.`)
  if (!(await isConsistent(before, now, proof)))
    throw new ProofFault(
      `The first ${before.size} entries are not those that this browser saw: there are two histories.`,
    )
  return { detail: `The log continues the ${before.size} entries that this browser saw last.`, value: null }
}

/** Reads the last bundle, compares its entries with their hashes, and finds the seal at its end. */
async function lastSeal({ files, signal }: HeadPorts, size: number, tiles: TileBytes) {
  const bundle = await files.read(lastBundlePath(size), signal)
  const leaves = await Promise.all(entriesOf(bundle).map(leafHash))
  const expected = lastLeaves(size, tiles)
  if (leaves.length !== expected.length || !leaves.every((hash, n) => isSame(hash, expected[n]!)))
    throw new ProofFault(`The entries of ${lastBundlePath(size)} are not those that were signed.`)
  const seal = sealOf(entriesOf(bundle).at(-1)!)
  if (seal === null) throw new ProofFault('The last entry is not a seal: the log ends with entries that nothing seals.')
  const { sealed_through, entries } = seal
  return { detail: `The last batch has ${entries} records and is sealed through ${sealed_through}.`, value: seal }
}
