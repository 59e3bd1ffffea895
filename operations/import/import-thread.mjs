// Start of the thread of a large import.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./import-worker.ts', import.meta.url))
