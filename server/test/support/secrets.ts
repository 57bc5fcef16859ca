import { systemRandom } from '../../src/kernel/index.ts'
import { openSecrets, type Secrets } from '../../src/provisioning/index.ts'

/** Encryption with a key that every test of a run shares, so that no file is made. */
export function testSecrets(): Secrets {
  return openSecrets({ dir: '', random: systemRandom, key: 'ab'.repeat(32) })
}
