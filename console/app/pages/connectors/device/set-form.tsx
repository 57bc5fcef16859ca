import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Connector, Resource } from '../../../api/connectors.ts'
import { setValues } from '../../../api/devices.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { hasCode } from '../../../ui/errors.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { shownUnit } from '../../../ui/words.ts'

const texts = defineTexts({
  label: (alias: string, unit: string) => [
    `${alias}${unit === '' ? '' : ` in ${unit}`}`,
    `${alias}${unit === '' ? '' : ` in ${unit}`}`,
  ],
  allowed: (values: string) => [`Allowed: ${values}`, `Erlaubt: ${values}`],
  noNumber: ['must be a number', 'muss eine Zahl sein'],
  set: ['Set', 'Setzen'],
})

type Props = {
  readonly connector: Connector
  readonly identity: string
  readonly alias: string
  readonly resource: Resource
  /** As it is set now. */
  readonly value: string
  readonly onDone: () => void
}

type Value = string | number | boolean

/** Sets the value of a resource from the cloud, with the field that its format needs. */
export function SetForm({ connector, identity, alias, resource, value, onDone }: Props) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState(value)
  const [isWrong, setWrong] = useState(false)
  const { isBusy, error, run } = useChange<Value>((client, wanted) =>
    setValues(client, connector.id, identity, { [alias]: wanted }),
  )
  const submit = () => {
    const wanted = typedValue(typed, resource.format)
    setWrong(wanted === undefined)
    if (wanted !== undefined) run(wanted, onDone)
  }
  const isAtField = hasCode(error, 'value_refused')
  const field = {
    label: t.label(alias, shownUnit(resource.unit)),
    description: resource.allowed.length > 0 ? t.allowed(resource.allowed.join(', ')) : undefined,
    error: isWrong ? t.noNumber : isAtField ? error.message : undefined,
    size: 'xs',
    value: typed,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setTyped(event.currentTarget.value),
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Field format={resource.format} field={field} />
      {error !== null && !isAtField && <Trouble error={error} />}
      <Group gap="xs" my="xs">
        <Action text={t.set} submit busy={isBusy} />
        <Action text={t.cancel} onClick={onDone} />
      </Group>
    </Form>
  )
}

type FieldProps = {
  readonly format: Resource['format']
  readonly field: {
    readonly label: string
    readonly description: string | undefined
    readonly error: string | undefined
    readonly size: string
    readonly value: string
    readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void
  }
}

function Field({ format, field }: FieldProps) {
  if (format === 'boolean') {
    return <NativeSelect {...field} maw="20rem" data={['', 'true', 'false']} />
  }
  if (format === 'number') return <TextInput {...field} maw="20rem" inputMode="decimal" />
  return <Textarea {...field} maw="40rem" autosize minRows={1} maxRows={12} />
}

/** Undefined for what is no value of the format. */
function typedValue(text: string, format: Resource['format']): Value | undefined {
  if (format === 'string') return text
  if (format === 'boolean') return text === '' ? undefined : text === 'true'
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}
