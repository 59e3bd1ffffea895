// Start of the thread that keeps payloads.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./keeper-worker.ts', import.meta.url))
