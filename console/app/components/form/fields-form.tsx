import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Action } from '../controls/action.tsx'
import { Form } from '../controls/form.tsx'
import { Trouble } from '../trouble.tsx'
import { type FieldsProps, isField, useFields } from './use-fields.tsx'

type Props<Name extends string, Body> = FieldsProps<Name, Body> & {
  /** The text of the button that sends the form. */
  readonly action: string
  readonly disabled?: boolean
  readonly onDone?: (reset: () => void) => void
  /** Stands below something, and not above it. */
  readonly isBelow?: boolean
  /** Each field has a line of its own. */
  readonly isTall?: boolean
  /** Behind the button. */
  readonly children?: ReactNode
}

/** Fields in a line or below one another, with the button that sends them. */
export function FieldsForm<Name extends string, Body = Readonly<Record<Name, string>>>(
  props: Props<Name, Body>,
) {
  const { action, disabled = false, fields, onDone, isBelow = false, isTall = false } = props
  const size = isTall ? 'sm' : 'xs'
  const sized = fields.map((field) => (isField(field) ? { size, ...field } : field))
  const { inputs, submit, isBusy, error } = useFields({ ...props, fields: sized })
  const trouble = error !== null && <Trouble error={error} />
  const buttons = (
    <>
      <Action text={action} submit busy={isBusy} disabled={disabled} />
      {props.children}
    </>
  )
  return (
    <Form onSubmit={(form, reset) => submit(form, () => onDone?.(reset))} noValidate={isTall}>
      {isTall ? (
        <Stack gap="sm" {...(isBelow && { mt: 'sm' })}>
          {inputs}
          {trouble}
          <Group gap="xs">{buttons}</Group>
        </Stack>
      ) : (
        <>
          <Group gap="xs" align="end" {...(isBelow ? { mt: 'sm' } : { mb: 'xs' })}>
            {inputs}
            {buttons}
          </Group>
          {trouble}
        </>
      )}
    </Form>
  )
}
