import { parseOwnJson } from '../../../foundation/kernel/index.ts'
import {
  type AssetListField,
  assetFields,
  type SignalField,
  signalFields,
} from '../../../insight/assets/index.ts'

/** Fields of such a selection, and of the signals in it; past it the list is read as rows. */
const assetListFieldsMax = 20
/** The name of such a field in the answer; past it the list is read as rows. */
const assetListKeyCharsMax = 60

/** As much of a plan as is looked at here. */
type Listed = { readonly key: string; readonly name: string; readonly output: ListedOutput }
type ListedOutput = {
  readonly kind: string
  readonly item?: ListedOutput
  readonly fields?: readonly Listed[]
}

/** A part of an answer that is JSON already. */
export class JsonText {
  readonly text: string
  /** The number of rows of which it is made. */
  readonly rows: number

  constructor(text: string, rows: number) {
    this.text = text
    this.rows = rows
  }

  /** For those who write the answer as a whole. */
  toJSON(): unknown {
    return parseOwnJson(this.text)
  }
}

/** The text of the data of an answer in pieces; top-level fields may be JSON already. */
export function dataTexts(data: Readonly<Record<string, unknown>> | null | undefined): string[] {
  if (data == null || !Object.values(data).some((one) => one instanceof JsonText)) {
    return [JSON.stringify(data)]
  }
  const texts: string[] = []
  for (const [key, one] of Object.entries(data)) {
    texts.push(`${texts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    texts.push(one instanceof JsonText ? one.text : JSON.stringify(one))
  }
  return [...texts, '}']
}

/**
 * The fields of a list of assets that the database can write as JSON by itself; undefined if one of
 * them needs more than the columns of assets and signals.
 */
export function planAssetList(output: ListedOutput): readonly AssetListField[] | undefined {
  const list: AssetListField[] = []
  for (const { key, name, output: inner } of listFields(output)) {
    if (name in assetFields) {
      list.push({ key, of: name as keyof typeof assetFields })
      continue
    }
    const signals = name === 'signals' ? planSignals(inner) : undefined
    if (signals === undefined) return undefined
    list.push({ key, signals })
  }
  return list.length === 0 ? undefined : list
}

function planSignals(output: ListedOutput): readonly SignalField[] | undefined {
  const fields = listFields(output)
  if (fields.length === 0 || !fields.every(({ name }) => name in signalFields)) return undefined
  return fields.map(({ key, name }) => ({ key, of: name as keyof typeof signalFields }))
}

/** The fields of the objects of a list; none if a statement would be too long for them. */
function listFields({ kind, item }: ListedOutput): readonly Listed[] {
  const fields = kind === 'list' ? (item?.fields ?? []) : []
  const isLong = fields.some(({ key }) => key.length > assetListKeyCharsMax)
  return isLong || fields.length > assetListFieldsMax ? [] : fields
}
