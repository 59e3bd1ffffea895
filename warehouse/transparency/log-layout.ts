import { tilePath } from '../../pipelines/transparency/tiles.ts'
import { isObjectStore } from '../store/s3/s3-location.ts'

/** Folder of the log below the warehouse, or below the home of a warehouse in an object store. */
export const LOG_FOLDER = 'log'

/**
 * Returns the folder that has the log's: its one writer locks, appends and renames, so it is of a machine. It is that of the
 * warehouse, or the home of one in an object store.
 */
export function logPlace({ home, warehouse }: { readonly home: string; readonly warehouse: string }): string {
  return isObjectStore(warehouse) ? home : warehouse
}

/** Latest signed checkpoint, as it is served. */
export const CHECKPOINT = 'checkpoint'
/** Verifier key of the log. */
export const VKEY = 'vkey'
/** Head of the log and cursors of the tables: what is written here has happened. */
export const STATE = 'state.json'
/** Batch under way; a restart writes the same one. */
export const PLAN = 'plan.json'
/** Size of each checkpoint, eight bytes each. */
export const SIZES = 'checkpoint-sizes'
/** Lock of the one writer. */
export const LOCK = 'writer.lock'

/** Entries that one look-up segment has: those of a full tile of level 1. */
export const SEGMENT_ENTRIES = 65_536

/** Returns the path of a checkpoint by its ordinal, from 0, until it is in a bundle. */
export function checkpointPath(ordinal: number): string {
  return numbered('checkpoints', ordinal)
}

/** Returns the path of a bundle of checkpoints by its ordinal, from 0. */
export function checkpointBundlePath(ordinal: number): string {
  return numbered('checkpoint-bundles', ordinal)
}

/** Returns the path of a segment of the look-up. */
export function segmentPath(ordinal: number): string {
  return numbered('lookup', ordinal)
}

/** Spreads numbered files over folders as tiles are: a thousand to a folder. */
function numbered(folder: string, ordinal: number): string {
  return tilePath({ level: 0, index: ordinal, width: 256 }).replace('tile/0', folder)
}
