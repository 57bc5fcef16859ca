import type { ReactNode } from 'react'
import { FormDialog } from '../dialogs/form-dialog.tsx'
import { type FieldsProps, isField, useFields } from './use-fields.tsx'

type Props<Name extends string, Body> = FieldsProps<Name, Body> & {
  readonly title: string
  /** The text of the button that sends the form. */
  readonly action: string
  readonly size?: 'md' | 'lg'
  readonly onClose: () => void
  /** Called in place of `onClose` when the fields were sent. */
  readonly onDone?: () => void
  /** Below the fields. */
  readonly children?: ReactNode
}

/** A dialog that asks for fields, and closes when they are sent. The first field has the focus. */
export function FieldsDialog<Name extends string, Body = Readonly<Record<Name, string>>>(
  props: Props<Name, Body>,
) {
  const { title, action, size = 'md', onClose, onDone = onClose, children, fields } = props
  const first = fields.find((field) => isField(field))
  const focused = fields.map((field) =>
    field === first ? { ...field, 'data-autofocus': true } : field,
  )
  const { inputs, submit, isBusy, error } = useFields({ ...props, fields: focused })
  return (
    <FormDialog
      {...{ title, action, size, isBusy, error, onClose }}
      onSubmit={(form) => submit(form, onDone)}
    >
      {inputs}
      {children}
    </FormDialog>
  )
}
