#!/usr/bin/env node
import { readFileSync } from 'node:fs'

// An older Node could not even load the rest: it lacks what that imports.
const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
const { engines } = JSON.parse(manifest) as { engines: { node: string } }
const [leastMajor = 0, leastMinor = 0] = engines.node.replace('>=', '').split('.').map(Number)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) await import('./cli.ts')
else {
  const needed = `Node ${leastMajor}.${leastMinor} or later`
  process.stderr.write(`millrace: it needs ${needed}, and this is ${process.versions.node}\n`)
  process.exitCode = 1
}
