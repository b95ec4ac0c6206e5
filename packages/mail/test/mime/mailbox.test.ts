import { describe, expect, test } from 'vitest';
import { FieldScanner } from '../../src/mime/field-scanner.js';
import { nextMailbox } from '../../src/mime/mailbox.js';

const firstMailbox = (field: string) => nextMailbox(new FieldScanner(field));

describe('firstMailbox', () => {
  test.each([
    ['a bare address', 'anna@app.test', 'anna@app.test'],
    ['a display name', 'Anna Ek <anna@app.test>', 'anna@app.test'],
    ['no blank before the bracket', 'Anna<anna@app.test>', 'anna@app.test'],
    ['a quoted name with specials', '"Ek, Anna <x@y.test>" <anna@app.test>', 'anna@app.test'],
    ['a quoted name with escapes', '"Anna \\"the <boss@y.test>\\"" <anna@app.test>', 'anna@app.test'],
    ['a name that looks like an address', 'old@app.test <anna@app.test>', 'anna@app.test'],
    ['a comment after the address', 'anna@app.test (Anna, boss@y.test)', 'anna@app.test'],
    ['nested comments', '(a (b@c.test) \\) d) anna@app.test', 'anna@app.test'],
    ['comments within the brackets', 'Anna <(home)anna@app.test(x)>', 'anna@app.test'],
    ['blanks around dots and the at sign', 'anna . ek @ app . test', 'anna.ek@app.test'],
    ['comments around the at sign', 'anna (x) @ (y) app.test', 'anna@app.test'],
    ['a source route', '<@relay.test,@hop.test:anna@app.test>', 'anna@app.test'],
    ['a group', 'Team: Anna <anna@app.test>, ben@app.test;', 'anna@app.test'],
    ['a group after an empty one', 'Nobody:;, anna@app.test', 'anna@app.test'],
    ['a list', 'anna@app.test, Ben <ben@app.test>', 'anna@app.test'],
    ['a mailbox without an address first', 'Ek, Anna <anna@app.test>', 'anna@app.test'],
    ['an empty bracket first', 'Anna <>, ben@app.test', 'ben@app.test'],
    ['a quoted local part', '"anna ek"@app.test', '"anna ek"@app.test'],
    ['a domain literal', '<anna@[IPv6:2001:db8::1]>', 'anna@[IPv6:2001:db8::1]'],
    ['letters beyond ASCII', 'Änna <änna@büro.test>', 'änna@büro.test'],
    ['capital letters', 'Anna.Ek@App.Test', 'Anna.Ek@App.Test'],
    ['a host without dots', 'root@localhost', 'root@localhost'],
    ['an unclosed bracket', 'Anna <anna@app.test', 'anna@app.test'],
    ['an unclosed quote', '"Anna <anna@app.test>', 'anna@app.test'],
    ['an unclosed comment', 'Anna :( <anna@app.test>', 'anna@app.test'],
    ['a doubled bracket', '<<anna@app.test>>', 'anna@app.test'],
    ['a name after the address', 'anna@app.test Anna', 'anna@app.test'],
    ['a scheme', 'mailto:anna@app.test', 'anna@app.test'],
  ])('finds the address: %s', (_, field, address) => {
    expect(firstMailbox(field)?.address).toBe(address);
  });

  test.each([
    ['nothing', ''],
    ['a name alone', 'Anna Ek'],
    ['an empty bracket', 'Anna <>'],
    ['an empty group', 'Undisclosed recipients:;'],
    ['no local part', '@app.test'],
    ['no domain', 'anna@'],
    ['two at signs', 'anna@ben@app.test'],
    ['an address in a quoted string', '"anna@app.test"'],
    ['an address in a comment', '(anna@app.test)'],
    ['a control character', 'anna\u0000@app.test'],
    ['more than 320 characters', `${'a'.repeat(320)}@app.test`],
  ])('finds no address: %s', (_, field) => {
    expect(firstMailbox(field)).toBeNull();
  });
});
