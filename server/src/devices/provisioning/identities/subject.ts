import { Fault, textOrBytes } from '../../../foundation/kernel/index.ts'
import { type Element, readElements, readObjectId, tags } from '../certificates/der.ts'

const commonName = '2.5.4.3'

/**
 * Every common name in a subject, wherever it stands; undefined for one in a kind of string that
 * two readers may understand in two ways.
 * @throws Fault `malformed_request`.
 */
export function readCommonNames(subject: Element): (string | undefined)[] {
  return readElements(subject.content)
    .flatMap((set) => readParts(set, tags.set))
    .map((attribute) => readParts(attribute, tags.sequence))
    .flatMap(([type, value, ...others]) => {
      if (!type || !value || others.length > 0) throw malformed()
      return readObjectId(type) === commonName ? [readText(value)] : []
    })
}

function readParts(element: Element, tag: number): Element[] {
  if (element.tag !== tag) throw malformed()
  return readElements(element.content)
}

function readText({ tag, content }: Element): string | undefined {
  if (tag === tags.utf8String) {
    const text = textOrBytes(content)
    return typeof text === 'string' ? text : undefined
  }
  if (tag !== tags.printableString && tag !== tags.ia5String) return undefined
  return content.every((byte) => byte < 0x80) ? content.toString('latin1') : undefined
}

function malformed(): Fault {
  return new Fault('malformed_request', 'The name is not the ASN.1 that was expected.')
}
