/** True in `npm run test:slow`, which runs every test that has two sizes at its full one. */
const FULL_SIZE = process.env.TIDEMARK_FULL_SIZE === '1'

/**
 * Returns how often or how long a test repeats its property: `short` in `npm test`, `full` in `npm run test:slow`.
 * Whatever asks for a size is a test of both lanes.
 */
export function sized<T>(short: T, full: T): T {
  return FULL_SIZE ? full : short
}
