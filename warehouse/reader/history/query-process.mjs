// Start of a process of the pool of queries.
import { launch } from '../../../launch/launch.mjs'

await launch(new URL('./query-process.ts', import.meta.url))
