describe('signing up', () => {
  it('takes the code of the email', () => {
    cy.createInbox().then((inbox) => {
      cy.visit('/');
      cy.get('input[name=email]').type(inbox.address);
      cy.contains('button', 'Sign up').click();
      cy.waitForEmail(inbox, { hasOtp: true }).then((email) => {
        cy.get('input[name=code]').type(email.otp);
      });
      cy.contains('button', 'Confirm').click();
      cy.contains(`Welcome, ${inbox.address}`);
    });
  });

  it('takes the link of the email', () => {
    cy.createInbox({ prefix: 'link' }).then((inbox) => {
      cy.visit('/');
      cy.get('input[name=email]').type(inbox.address);
      cy.contains('button', 'Sign up').click();
      cy.waitForEmail(inbox, { hasMagicLink: true, subject: /confirm/i, timeout: 10_000 }).then((email) => {
        cy.visit(email.magicLink);
      });
      cy.contains(`Welcome, ${inbox.address}`);
    });
  });
});
