import { createInterface } from 'node:readline'
import { systemClock, systemRandom } from '../../src/kernel/index.ts'
import { openSecrets, openServerAuthority } from '../../src/provisioning/index.ts'

/**
 * Run as a process: for each directory that a line of its input names, it opens the instance's
 * authority and key there and prints what it got, as JSON.
 */
process.stdout.write('ready\n')
for await (const dir of createInterface(process.stdin)) {
  const authority = await openServerAuthority({ dir, clock: systemClock(), random: systemRandom })
  const server = await authority.certificateFor('127.0.0.1')
  const sealed = openSecrets({ dir, random: systemRandom }).seal('text')
  process.stdout.write(`${JSON.stringify({ server, sealed })}\n`)
}
