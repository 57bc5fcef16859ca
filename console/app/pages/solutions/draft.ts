import { useState } from 'react'

/**
 * A text that is edited. A text that somebody else saved is shown if nothing was edited; else
 * `isOther` is true.
 * @param source the text that is saved.
 */
export function useDraft(source: string) {
  const [base, setBase] = useState(source)
  const [text, setText] = useState(source)
  const isDirty = text !== base
  const take = () => {
    setBase(source)
    setText(source)
  }
  // Nothing of the operator is lost by it.
  if (source !== base && (!isDirty || text === source)) take()
  return { text, setText, isDirty, isOther: isDirty && source !== base, take, setBase }
}
