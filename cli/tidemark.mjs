#!/usr/bin/env node
// The `tidemark` command: begins at main.ts.
import { launch } from '../launch/launch.mjs'

// The gRPC client of Temporal writes lines of its own to standard error; what they say is in our errors.
process.env.GRPC_VERBOSITY ??= 'NONE'

await launch(new URL('./main.ts', import.meta.url))
