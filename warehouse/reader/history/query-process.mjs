// Where a process of the pool of queries begins.
import { launch } from '../../../launch/launch.mjs'

await launch(new URL('./query-process.ts', import.meta.url))
