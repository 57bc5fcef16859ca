-- A service that fails returns an error object. Thrown, it ends the call with its type and status.
return function(answer)
  if type(answer) == "table" and answer.error then
    error({ type = answer.type, error = answer.error, status = answer.status })
  end
  return answer
end
