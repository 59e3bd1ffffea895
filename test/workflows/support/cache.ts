import { homedir } from 'node:os'
import { join } from 'node:path'

/** Cache folder shared with `tidemark` and tools/temporal/ensure.mjs, so that each reuses the others' files. */
export const CACHE = process.env.TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark')
