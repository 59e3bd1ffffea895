// Start of a thread that recovers signers.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./recover-worker.ts', import.meta.url))
