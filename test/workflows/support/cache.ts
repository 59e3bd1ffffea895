import { homedir } from 'node:os'
import { join } from 'node:path'

/** As `tidemark` and tools/temporal/ensure.mjs have it: what one of them made is used here. */
export const CACHE = process.env.TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark')
