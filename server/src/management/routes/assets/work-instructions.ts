import { Readable } from 'node:stream'
import { limits, matchesTag } from '../../../kernel/index.ts'
import type { InstructionUploads } from '../../../policies/index.ts'
import { versionNumber } from '../../contract/assets/versions.ts'
import {
  downloadWorkInstruction,
  uploadWorkInstruction,
} from '../../contract/assets/work-instructions.ts'
import { apiHeaders } from '../../errors.ts'
import { refuseLength } from '../../json-body.ts'
import { created, type Route, route } from '../../route.ts'

export type WorkInstructionRoutesOptions = {
  readonly policies: { readonly uploads: InstructionUploads }
}

/** The files of work instructions. */
export function workInstructionRoutes({ policies }: WorkInstructionRoutesOptions): Route[] {
  const { uploads } = policies
  return [
    route(uploadWorkInstruction, async ({ principal, params, query, headers, bytes }) => {
      refuseLength(headers, limits.workInstructionFileBytesMax)
      const { filename, modified: modifiedAt, sha256 } = query
      const file = { filename, modifiedAt, sha256, contentType: headers['content-type'], bytes }
      const made = await uploads.add(principal.view, params.instruction, file)
      return created({
        version: made.version,
        filename: made.filename,
        content_type: made.contentType || null,
        size: made.bytes,
        sha256: made.sha256,
        modified: made.modifiedAt,
        created: made.createdAt,
      })
    }),
    route(downloadWorkInstruction, async ({ principal, params, headers, raw: { reply } }) => {
      const version = versionNumber(params.version)
      const opened = await uploads.open(principal.view, params.instruction, version)
      const etag = opened.sha256 === null ? undefined : `"${opened.sha256}"`
      const entity = etag === undefined ? {} : { etag }
      if (etag !== undefined && matchesTag(headers['if-none-match'], [etag])) {
        reply
          .code(304)
          .headers({ ...apiHeaders, ...entity })
          .send()
        return 'sent'
      }
      const answer = Readable.from(opened.data, { objectMode: false })
      const ended = new Promise((resolve) => answer.once('close', resolve))
      reply
        .headers({
          ...apiHeaders,
          'content-disposition': dispositionOf(opened.filename),
          'content-security-policy': 'sandbox',
          ...entity,
          'content-length': String(opened.bytes),
        })
        .type(typeOf(opened.contentType))
        .send(answer)
      await ended
      return 'sent'
    }),
  ]
}

/** A content type as a header may have it. */
function typeOf(given: string): string {
  const isPlain = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w."+-]+)*$/.test(given)
  return isPlain ? given : 'application/octet-stream'
}

/** The name as RFC 6266 writes it: in ASCII for old clients, and whole. */
function dispositionOf(filename: string): string {
  const plain = filename.replaceAll(/[^\w .+-]/g, '_')
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
