// Where the thread of a large import begins.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./import-worker.ts', import.meta.url))
