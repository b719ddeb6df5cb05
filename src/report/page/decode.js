// Arrays of numbers out of base64 text.
export function decoded(text, Type) {
  const bytes = atob(text),
    buffer = new Uint8Array(bytes.length);
  for (let k = 0; k < bytes.length; ++k) buffer[k] = bytes.charCodeAt(k);
  return new Type(buffer.buffer);
}
