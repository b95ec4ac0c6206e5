package app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;

/** Stands in for an application with these properties. */
@SpringBootApplication
public class Application {
    public static void main(String[] args) {
        try (var context = SpringApplication.run(Application.class, args)) {
            var mail = new SimpleMailMessage();
            mail.setFrom("app@example.test");
            mail.setTo(System.getenv("TO"));
            mail.setSubject("Welcome");
            mail.setText("Your code is 482913");
            context.getBean(JavaMailSender.class).send(mail);
        }
    }
}
