// Where a thread that recovers signers begins.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./recover-worker.ts', import.meta.url))
