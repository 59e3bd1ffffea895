import { decodeBundle, encodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { logCorrupt } from './log-corrupt.ts'
import type { LogDisk } from './log-disk.ts'
import { checkpointBundlePath, checkpointPath, SIZES } from './log-layout.ts'
import type { LogState } from './log-state.ts'

/** Checkpoints of a bundle. */
export const BUNDLE_CHECKPOINTS = 256

/** Bundles that one call writes at most: a log of an earlier release has thousands of single files. */
const BUNDLES_AT_ONCE = 4

/** Bytes of a size in the list of checkpoints. */
export const SIZE_BYTES = 8

/** Steps of packing checkpoints between which a writer may be killed. */
export const PACK_STEPS = ['bundle-written', 'single-removed'] as const
type PackStep = (typeof PACK_STEPS)[number]

/** Keeps each checkpoint, so that a proof can name the first that covers its record. */
export async function writeCheckpoint(disk: LogDisk, { seals, size, checkpoint }: LogState): Promise<void> {
  const ordinal = seals - 1
  await disk.replace(checkpointPath(ordinal), Buffer.from(checkpoint))
  const bytes = Buffer.alloc(SIZE_BYTES)
  bytes.writeBigUInt64BE(BigInt(size))
  await disk.writeAt(SIZES, ordinal * SIZE_BYTES, bytes)
  await disk.flush()
}

/** Returns how many bundles the checkpoints of a head fill. The newest checkpoint may gain a cosignature, so it is in none. */
export function fullBundles(seals: number): number {
  return Math.max(0, Math.floor((seals - 1) / BUNDLE_CHECKPOINTS))
}

/**
 * Opens the checkpoints of a log by their ordinals; null: there is none. A single file is removed after its bundle is there, so a reader
 * that looks in this order misses none. One bundle stays in memory, because a search by halves ends in one.
 * @throws {ServiceError} LOG_CORRUPT
 */
export function openCheckpoints(disk: LogDisk): (ordinal: number) => Promise<Buffer | null> {
  let kept: { readonly index: number; readonly texts: readonly Uint8Array[] } | null = null
  return async (ordinal) => {
    const [index, n] = [Math.floor(ordinal / BUNDLE_CHECKPOINTS), ordinal % BUNDLE_CHECKPOINTS]
    if (kept?.index === index) return Buffer.from(kept.texts[n]!)
    const single = await disk.read(checkpointPath(ordinal))
    if (single !== null) return single
    const bytes = await disk.read(checkpointBundlePath(index))
    if (bytes === null) return null
    const texts = textsOf(bytes)
    if (texts === null)
      throw logCorrupt(checkpointBundlePath(index), `it does not have ${BUNDLE_CHECKPOINTS} checkpoints`)
    kept = { index, texts }
    return Buffer.from(texts[n]!)
  }
}

/** Returns the checkpoints of a bundle; null if its bytes are not those of a full one. */
function textsOf(bytes: Uint8Array): readonly Uint8Array[] | null {
  const texts = decodeBundle(bytes)
  return texts?.length === BUNDLE_CHECKPOINTS ? texts : null
}

/**
 * Replaces single checkpoint files by bundles where a bundle is full, oldest first. A run that is killed is completed by the next one.
 * @param reach called after each step
 * @throws {ServiceError} LOG_CORRUPT: a bundle has other bytes than were written; no single file was removed
 */
export async function packCheckpoints(
  disk: LogDisk,
  seals: number,
  reach: (step: PackStep) => Promise<void> | void,
): Promise<void> {
  const end = fullBundles(seals)
  let index = end
  // Files are removed in ascending order: where the last one of a bundle is gone, everything before it was packed.
  while (index > 0 && (await disk.read(checkpointPath(index * BUNDLE_CHECKPOINTS - 1))) !== null) index -= 1
  for (let packed = 0; index < end && packed < BUNDLES_AT_ONCE; index += 1)
    if (await packBundle(disk, index, reach)) packed += 1
}

/** Packs the checkpoints of one bundle. @returns false: one of them is missing, and the others stay as they are */
async function packBundle(disk: LogDisk, index: number, reach: (step: PackStep) => Promise<void> | void) {
  const path = checkpointBundlePath(index)
  const there = await disk.read(path)
  const texts_there = there === null ? null : textsOf(there)
  const texts: Uint8Array[] = []
  for (let n = 0; n < BUNDLE_CHECKPOINTS; n += 1) {
    const text = (await disk.read(checkpointPath(index * BUNDLE_CHECKPOINTS + n))) ?? texts_there?.[n]
    if (text === undefined) return false
    texts.push(text)
  }
  const bundle = encodeBundle(texts)
  if (!there?.equals(bundle)) {
    await disk.replace(path, bundle)
    if (!(await disk.read(path))?.equals(bundle)) throw logCorrupt(path, 'it has other bytes than were written')
    await reach('bundle-written')
  }
  for (let n = 0; n < BUNDLE_CHECKPOINTS; n += 1) {
    await disk.remove(checkpointPath(index * BUNDLE_CHECKPOINTS + n))
    await reach('single-removed')
  }
  return true
}
