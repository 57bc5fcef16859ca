import { open } from 'node:fs/promises'
import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { lineOf } from './content-list.ts'

export const contentOption = { meaning: 'The id of the content.', required: true } as const

/** A line that makes the content that the examples of the others need. */
export const putExample =
  'printf firmware > pump.bin && ' +
  'npx millrace content put --connector demo --id pump-1.bin --file pump.bin'

export const contentPut: Command = {
  name: 'content put',
  summary: 'Upload a file that the devices of a connector may download.',
  options: {
    connector: connectorOption,
    id: contentOption,
    file: { meaning: 'The file.', required: true },
    type: { meaning: 'Its content type. Default: application/octet-stream.' },
    meta: { meaning: 'A text for the devices, such as a version.' },
    business: businessOption,
  },
  example: `${putExample} --meta 1.0.0`,
  run: ({ connector = '', business, id = '', file = '', type, meta }) =>
    withPlatform(async (platform) => {
      const { id: businessId } = await ownerOf(platform, business, connector)
      const handle = await open(file)
      try {
        const bytes: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false })
        const input = { contentType: type, meta }
        const { contents } = platform.provisioning
        print(lineOf(await contents.put(businessId, connector, id, input, bytes)))
      } finally {
        await handle.close()
      }
      return 0
    }),
}
