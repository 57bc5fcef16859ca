import { Fault, textOrBytes } from '../../../foundation/kernel/index.ts'
import { type Element, elementsOf, objectIdOf, tags } from '../certificates/der.ts'

const commonName = '2.5.4.3'

/**
 * Every common name in a subject, wherever it stands; undefined for one in a kind of string that
 * two readers may understand in two ways.
 * @throws Fault `malformed_request`.
 */
export function commonNamesOf(subject: Element): (string | undefined)[] {
  return elementsOf(subject.content)
    .flatMap((set) => partsOf(set, tags.set))
    .map((attribute) => partsOf(attribute, tags.sequence))
    .flatMap(([type, value, ...others]) => {
      if (!type || !value || others.length > 0) throw malformed()
      return objectIdOf(type) === commonName ? [textOf(value)] : []
    })
}

function partsOf(element: Element, tag: number): Element[] {
  if (element.tag !== tag) throw malformed()
  return elementsOf(element.content)
}

function textOf({ tag, content }: Element): string | undefined {
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
