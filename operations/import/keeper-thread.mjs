// Where the thread that keeps payloads begins.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./keeper-worker.ts', import.meta.url))
