#!/usr/bin/env node
// The `tidemark` command: loads TypeScript through tsx, then hands over to main.ts.
import { register } from 'tsx/esm/api'

register()
await import('./main.ts')
