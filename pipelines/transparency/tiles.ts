import { HASH_BYTES } from './tree-hash.ts'

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256
/** Levels of the tree that one tile spans. */
export const TILE_HEIGHT = 8
/** Bytes of a full tile. */
export const TILE_BYTES = TILE_WIDTH * HASH_BYTES

/** Place of a tile, or of an entry bundle, in a tree of a given size. A width below 256 makes it a partial one. */
export type TileAddress = { readonly level: number | 'entries'; readonly index: number; readonly width: number }

/** Greatest level that an address may have, by the specification of the layout. */
const LEVEL_MAX = 63

/** Returns the path of a tile below the log: `tile/0/x001/x234/067.p/12`. */
export function tilePath({ level, index, width }: TileAddress): string {
  const groups: string[] = []
  let rest = index
  do {
    const digits = String(rest % 1000).padStart(3, '0')
    groups.unshift(groups.length === 0 ? digits : `x${digits}`)
    rest = Math.floor(rest / 1000)
  } while (rest > 0)
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`
  return `tile/${level}/${groups.join('/')}${partial}`
}

const PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** Returns the address of a path; null if it is not exactly the path that `tilePath` makes of one. */
export function parseTilePath(path: string): TileAddress | null {
  const [, level_text, groups, width_text] = PATH.exec(path) ?? []
  if (level_text === undefined || groups === undefined) return null
  const level = level_text === 'entries' ? ('entries' as const) : Number(level_text)
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  const width = width_text === undefined ? TILE_WIDTH : Number(width_text)
  if (level !== 'entries' && level > LEVEL_MAX) return null
  if (width_text !== undefined && width >= TILE_WIDTH) return null
  const address = { level, index, width }
  return tilePath(address) === path ? address : null
}

/** Returns the number of hashes that a tile has in a tree of a size: 0 if it has none yet, at most 256. */
export function widthIn(size: number, { level, index }: Pick<TileAddress, 'level' | 'index'>): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
}

/** Returns the addresses of the last tile of each level, and of the last bundle, that a tree of a size has. */
export function edgeTiles(size: number): readonly TileAddress[] {
  const found: TileAddress[] = []
  if (size > 0) found.push(lastTile('entries', size))
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    found.push(lastTile(level, hashes))
  }
  return found
}

function lastTile(level: TileAddress['level'], hashes: number): TileAddress {
  const index = Math.floor((hashes - 1) / TILE_WIDTH)
  return { level, index, width: hashes - index * TILE_WIDTH }
}

/** Returns the hash at a place of a tile's bytes. */
export function hashAt(tile: Uint8Array, place: number): Uint8Array {
  return tile.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)
}
