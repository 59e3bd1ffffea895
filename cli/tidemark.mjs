#!/usr/bin/env node
// The `tidemark` command: begins at main.ts.
import { launch } from '../launch/launch.mjs'

await launch(new URL('./main.ts', import.meta.url))
