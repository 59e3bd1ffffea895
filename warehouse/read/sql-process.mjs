// Start of the process of a user's SQL.
import { launch } from '../../launch/launch.mjs'

await launch(new URL('./sql-process.ts', import.meta.url))
