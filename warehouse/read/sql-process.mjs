// Where the process of a user's SQL begins.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./sql-process.ts', import.meta.url))
