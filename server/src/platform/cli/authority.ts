import { X509Certificate } from 'node:crypto'
import { exportServerAuthority, replaceServerAuthority } from '../../devices/provisioning/index.ts'
import { type Command, pathIn, print, withPlatform } from './command.ts'

export const authorityExport: Command = {
  name: 'authority export',
  summary: "Write the instance's CA, with its key, into files of a folder.",
  options: { folder: { meaning: 'The folder of ca-key.pem and ca.pem.', required: true } },
  operand: 'folder',
  example: 'npx millrace authority export ./instance-ca',
  run: ({ folder: dir = '' }, invocation) =>
    withPlatform(invocation, async (platform) => {
      const { folder } = invocation
      await exportServerAuthority({ ...platform, dir: pathIn(folder, dir) })
      print(invocation, `ca-key.pem and ca.pem are in ${dir}. The key is not encrypted.`)
      return 0
    }),
}

export const authorityReplace: Command = {
  name: 'authority replace',
  summary: "Replace the instance's CA: by that of a folder, or by a new one.",
  options: {
    from: { meaning: 'The folder with ca-key.pem and ca.pem. Without it a new CA is made.' },
  },
  example: 'npx millrace authority replace --from ./instance-ca',
  run: ({ from: given }, invocation) =>
    withPlatform(invocation, async (platform) => {
      const from = given === undefined ? undefined : pathIn(invocation.folder, given)
      const certificate = await replaceServerAuthority({ ...platform, from })
      print(
        invocation,
        `The CA of the instance is ${new X509Certificate(certificate).fingerprint256}.`,
      )
      print(invocation, 'Start every process again; they then have its certificate in tls/ca.pem.')
      return 0
    }),
}
